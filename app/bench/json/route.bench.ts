// GET /bench/json – for `npm run bench` alone: a constant, the least that a route handler costs
export const dynamic = "force-dynamic";

const TEXT = JSON.stringify({ message: "Bonjour" });
const HEADERS = { "Content-Type": "application/json; charset=utf-8" };

export const GET = () => new Response(TEXT, { headers: HEADERS });
