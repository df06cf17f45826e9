import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import type { Change } from "@/sandbox/cards/records";

/**
 * Reads a journal.
 *
 * @param onTransaction called for each line, oldest first
 * @throws OperatorError for a malformed line
 */
export function readJournal({
  file,
  onTransaction,
}: {
  file: string;
  onTransaction: (changes: readonly Change[]) => void;
}): void {
  if (!existsSync(file)) return;
  // Without a newline the last line is incomplete: the process was killed while it wrote it, before it
  // answered the request.
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  for (const [index, line] of lines.entries()) {
    try {
      onTransaction(JSON.parse(line) as Change[]);
    } catch {
      throw new OperatorError(
        `Les données du bac à sable de cartes sont abîmées (${file}, ligne ${index + 1}). Supprimez ce fichier pour repartir de zéro.`,
      );
    }
  }
}

/**
 * A write-ahead log: one transaction per line, appended before its request is answered. It survives
 * the death of the process, but not a power cut, since nothing is synced.
 */
export class Journal {
  private readonly descriptor: number;
  /** In bytes. */
  private length = 0;

  /** Replaces the file by one with these changes, atomically. */
  constructor(file: string, changes: Iterable<Change>) {
    mkdirSync(path.dirname(file), { recursive: true });
    const draft = `${file}.new`;
    this.descriptor = openSync(draft, "w", 0o600);
    for (const change of changes) this.append([change]);
    fdatasyncSync(this.descriptor);
    renameSync(draft, file);
  }

  append(changes: readonly Change[]): void {
    const bytes = Buffer.from(`${JSON.stringify(changes)}\n`);
    try {
      for (let written = 0; written < bytes.length; )
        written += writeSync(
          this.descriptor,
          bytes,
          written,
          bytes.length - written,
          this.length + written,
        );
    } catch (error) {
      // Removes an incomplete line, as when the disk is full.
      ftruncateSync(this.descriptor, this.length);
      throw error;
    }
    this.length += bytes.length;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
