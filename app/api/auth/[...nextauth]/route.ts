import { NextRequest } from "next/server";
import { answerNextAuth } from "@/lib/auth/next-auth";
import { problem } from "@/lib/http/api/problem";
import { type Handler, methods } from "@/lib/http/api/route";

// Next.js hands its own request on behind a Proxy, which a Request cannot be made of from Node.js 22 on.
const nextRequest = (request: Request) =>
  request instanceof NextRequest ? request : new NextRequest(request);

// GET /api/auth/csrf, /session, /providers – next-auth's own calls
// POST /api/auth/callback/token – the session cookie for the bearer token of a login
// POST /api/auth/signout – takes the cookie away
const answer: Handler = Object.assign(
  async (request: Request, { params }: Parameters<Handler>[1]) => {
    try {
      const path = [(await params).nextauth ?? []].flat();
      return await answerNextAuth({ request: nextRequest(request), path });
    } catch (error) {
      return problem(error, { request });
    }
  },
  { definition: null },
);

export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  GET: answer,
  POST: answer,
});
