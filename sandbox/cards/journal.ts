import {
  closeSync,
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

const NEWLINE = 0x0a;

function writeFully(descriptor: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written);
}

/**
 * A write-ahead log: one transaction per line, appended before its request is answered. It survives
 * the death of the process, but not a power cut, since nothing is synced.
 */
export class Journal {
  private constructor(
    private readonly file: string,
    private descriptor: number,
    /** In bytes. */
    private length: number,
  ) {}

  /**
   * @param onTransaction called for each line, oldest first
   * @throws OperatorError for a malformed line
   */
  static open({
    file,
    onTransaction,
  }: {
    file: string;
    onTransaction: (changes: readonly Change[]) => void;
  }): Journal {
    mkdirSync(path.dirname(file), { recursive: true });
    const descriptor = openSync(file, "a+", 0o600);
    const bytes = readFileSync(descriptor);
    let start = 0;
    for (let line = 1; ; line += 1) {
      const end = bytes.indexOf(NEWLINE, start);
      // Without a newline the last line is incomplete: the process was killed while it wrote it,
      // before it answered the request.
      if (end === -1) break;
      try {
        onTransaction(JSON.parse(bytes.toString("utf8", start, end)) as Change[]);
      } catch {
        closeSync(descriptor);
        throw new OperatorError(
          `Les données du bac à sable de cartes sont abîmées (${file}, ligne ${line}). Supprimez ce fichier pour repartir de zéro.`,
        );
      }
      start = end + 1;
    }
    if (start < bytes.length) ftruncateSync(descriptor, start);
    return new Journal(file, descriptor, start);
  }

  append(changes: readonly Change[]): void {
    const bytes = Buffer.from(`${JSON.stringify(changes)}\n`);
    try {
      writeFully(this.descriptor, bytes);
    } catch (error) {
      // Removes an incomplete line, as when the disk is full.
      ftruncateSync(this.descriptor, this.length);
      throw error;
    }
    this.length += bytes.length;
  }

  /** Replaces the file by one with these changes, atomically. */
  rewrite(changes: Iterable<Change>): void {
    const fresh = `${this.file}.new`;
    const descriptor = openSync(fresh, "w", 0o600);
    let length = 0;
    for (const change of changes) {
      const bytes = Buffer.from(`${JSON.stringify([change])}\n`);
      writeFully(descriptor, bytes);
      length += bytes.length;
    }
    fdatasyncSync(descriptor);
    closeSync(descriptor);
    closeSync(this.descriptor);
    renameSync(fresh, this.file);
    this.descriptor = openSync(this.file, "a", 0o600);
    this.length = length;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
