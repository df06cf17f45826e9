// What users may be. For both sides: the server, and pages that show administrators more.

export const ADMIN_ROLE = "ROLE_ADMIN";
export const ROLES = ["ROLE_USER", ADMIN_ROLE] as const;
export type Role = (typeof ROLES)[number];

export function isAdmin({ roles }: { roles: readonly string[] }): boolean {
  return roles.includes(ADMIN_ROLE);
}
