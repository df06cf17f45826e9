import { resealStoredSecrets } from "@/lib/maintenance/reseal";
import { deleteExpired } from "@/lib/maintenance/retention";

/**
 * Once an hour, deletes what has been kept for its retention period, and seals secrets anew. Any number of
 * processes may do so at once.
 *
 * @param isEager also within an hour of the last run
 */
export async function maintain({ isEager = false } = {}): Promise<void> {
  await deleteExpired({ isEager });
  await resealStoredSecrets({ isEager });
}
