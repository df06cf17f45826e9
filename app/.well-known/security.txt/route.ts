import { connection } from "next/server";
import { securityText } from "@/lib/contact/security-text";

// GET /.well-known/security.txt – the contact for security reports (RFC 9116)
export async function GET(): Promise<Response> {
  // The configuration is read when the shop runs, not when it is built.
  await connection();
  return securityText();
}
