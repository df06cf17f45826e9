import { POST as createUser } from "@/app/api/admin/users/route";
import { adminUsers } from "@/lib/account/admin-list";
import { listHandlers } from "@/lib/backoffice/routes";
import { methods } from "@/lib/http/api/route";

// GET /api/users – the users, page by page
// POST /api/users – adds a user's account, as POST /api/admin/users
export const { GET, HEAD, OPTIONS, POST, PUT, PATCH, DELETE } = methods({
  ...listHandlers(adminUsers, "Lister les utilisateurs"),
  POST: createUser,
});
