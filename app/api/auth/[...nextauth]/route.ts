import type { NextRequest } from "next/server";
import { answerNextAuth } from "@/lib/auth/next-auth";
import { problem } from "@/lib/http/api/problem";
import { methods } from "@/lib/http/api/route";
import type { Handler } from "@/lib/http/api/route-definition";

// GET /api/auth/csrf, /session, /providers – next-auth's own calls
// POST /api/auth/callback/token – the session cookie for the bearer token of a login
// POST /api/auth/signout – removes the cookie
const answer: Handler = async (request, { params }) => {
  try {
    const path = [(await params).nextauth ?? []].flat();
    // Next.js passes its own kind of request. Do not copy it: from Node.js 24 on copying fails, since
    // the request is a Proxy.
    return await answerNextAuth({ request: request as NextRequest, path });
  } catch (error) {
    return problem(error, { request });
  }
};

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: answer,
  POST: answer,
});
