import { callApi } from "@/lib/api-client";
import type { JsonOf } from "@/lib/http/api/resource";
import { type ListJson, membersOf } from "@/lib/public-api";
import type { addressResource } from "./resource";
import type { AddressType } from "./rules";
import type { AddressChange, NewAddress } from "./schemas";

export type AddressJson = JsonOf<typeof addressResource>;

const PATH = "/api/addresses_front";

/** GET /api/addresses_front: in the order in which the addresses were added. @throws ApiError */
export async function listAddresses(): Promise<AddressJson[]> {
  return membersOf(await callApi<ListJson<AddressJson>>(PATH, { as: "session" }));
}

/** POST /api/addresses_front. @throws ApiError */
export function createAddress(input: NewAddress): Promise<AddressJson> {
  return callApi(PATH, { method: "POST", json: input, as: "session" });
}

/** PUT /api/addresses_front/{id}. @throws ApiError */
export function updateAddress({
  id,
  ...input
}: AddressChange & { id: number }): Promise<AddressJson> {
  return callApi(`${PATH}/${id}`, { method: "PUT", json: input, as: "session" });
}

/** DELETE /api/addresses_front/{id}. @throws ApiError */
export async function deleteAddress(id: number): Promise<void> {
  await callApi(`${PATH}/${id}`, { method: "DELETE", as: "session" });
}

/** PUT …/default or …/default-billing: other addresses of this type lose the flag. */
export async function setDefaultAddress({
  id,
  type,
}: {
  id: number;
  type: AddressType;
}): Promise<void> {
  const action = type === "shipping" ? "default" : "default-billing";
  await callApi(`${PATH}/${id}/${action}`, { method: "PUT", as: "session" });
}
