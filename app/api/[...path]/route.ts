import { refuseAll } from "@/lib/http/api/route";

// Any verb on an address that no other route serves – 404 as JSON
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = refuseAll();
