// For server and browser.

export const ADMIN_ROLE = "ROLE_ADMIN";
export const ROLES = ["ROLE_USER", ADMIN_ROLE] as const;
export type Role = (typeof ROLES)[number];

export function isAdmin({ roles }: { roles: readonly string[] }): boolean {
  return roles.includes(ADMIN_ROLE);
}
