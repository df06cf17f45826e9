import { useCallback, useEffect, useRef, useState } from "react";
import type { InputProps } from "@/components/backoffice/crud/crud-field";
import { ApiError } from "@/lib/api-error";
import { uploadPicture } from "@/lib/backoffice/client";
import { MAX_IMAGES } from "@/lib/catalogue/rules";
import { TOO_MANY_IMAGES } from "@/lib/catalogue/texts";
import { namedPictureKindOf, PICTURE_KINDS, UPLOAD_LIMIT } from "@/lib/uploads/rules";
import { OTHER_PICTURE } from "@/lib/uploads/texts";

export interface Picture {
  /** A file name below /images, or a URL. */
  url: string;
  alt: string;
}

/** A chosen file that is sent, or waits for the files before it. */
export interface PictureUpload {
  file: File;
  /** The URL of the file in this browser. */
  preview: string;
  /** The uploaded share. */
  progress: number;
}

export const ACCEPTED_TYPES = PICTURE_KINDS.map(
  (kind) => `image/${kind === "jpg" ? "jpeg" : kind}`,
);
export const PICTURE_FORMATS = PICTURE_KINDS.map((kind) => kind.toUpperCase());
export const PICTURE_LIMIT = `${UPLOAD_LIMIT / 1_000_000} Mo`;

const NOT_SENT =
  "L’image choisie n’a pas été enregistrée\u00a0: choisissez-en une autre, ou écartez-la.";

/**
 * Uploads the chosen files one after another, and adds each to the list. The form cannot be saved during the
 * uploads, or while a chosen file is refused.
 */
export function usePictureUploads({
  name,
  value,
  onChange,
  blockSave,
}: Pick<InputProps<readonly Picture[], unknown>, "name" | "value" | "onChange" | "blockSave">) {
  const [uploads, setUploads] = useState<readonly PictureUpload[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  /** The newest list: uploads end after the rendering in which they began. */
  const pictures = useRef(value);
  const waiting = useRef<PictureUpload[]>([]);
  const isRunning = useRef(false);
  const controller = useRef<AbortController>(null);

  useEffect(() => {
    pictures.current = value;
  }, [value]);
  useEffect(() => {
    controller.current = new AbortController();
    return () => {
      controller.current?.abort();
      for (const { preview } of waiting.current) URL.revokeObjectURL(preview);
    };
  }, []);

  const isSending = uploads.length > 0;
  const isRefused = problem !== null;
  useEffect(() => {
    if (isSending) blockSave({ field: name });
    else blockSave(isRefused ? { field: name, message: NOT_SENT } : null);
  }, [isSending, isRefused, name, blockSave]);

  const change = useCallback(
    (list: readonly Picture[]) => {
      pictures.current = list;
      onChange(list);
    },
    [onChange],
  );

  async function sendAll() {
    isRunning.current = true;
    for (let next = waiting.current[0]; next; next = waiting.current[0]) {
      await sendOne(next);
      URL.revokeObjectURL(next.preview);
      waiting.current.shift();
      setUploads([...waiting.current]);
    }
    isRunning.current = false;
  }

  async function sendOne(upload: PictureUpload) {
    const signal = controller.current?.signal ?? new AbortController().signal;
    const { file } = upload;
    const onProgress = (progress: number) => {
      upload.progress = progress;
      setUploads([...waiting.current]);
    };
    try {
      const url = await uploadPicture({ file, onProgress, signal });
      const isListed = pictures.current.some((picture) => picture.url === url);
      if (!isListed) change([...pictures.current, { url, alt: "" }]);
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // The dialog was closed.
      if (signal.aborted || failure.isSessionOver) return;
      refuse(failure.sentence || "L’envoi de l’image a échoué.");
    }
  }

  const refuse = (sentence: string) =>
    setProblem((other) => (other && other !== sentence ? `${other} ${sentence}` : sentence));

  /** Uploads the files that are pictures, as many as the product may still have. */
  function add(files: readonly File[]) {
    setProblem(null);
    const refused = new Set<string>();
    const accepted = files.filter((file) => {
      const wrong = problemOf(file);
      if (wrong)
        refused.add(files.length > 1 ? `«\u00a0${file.name}\u00a0»\u00a0: ${wrong}` : wrong);
      return !wrong;
    });
    const free = MAX_IMAGES - pictures.current.length - waiting.current.length;
    if (accepted.length > free) refused.add(TOO_MANY_IMAGES);
    if (refused.size > 0) setProblem([...refused].join(" "));
    const chosen = accepted
      .slice(0, Math.max(free, 0))
      .map((file) => ({ file, preview: URL.createObjectURL(file), progress: 0 }));
    waiting.current.push(...chosen);
    setUploads([...waiting.current]);
    if (!isRunning.current) void sendAll();
  }

  return {
    uploads,
    /** Why pictures were refused. */
    problem,
    add,
    change,
    dismiss: () => setProblem(null),
  };
}

/** Validates type and size before the upload; the server checks the content. */
function problemOf(file: File): string | null {
  const { type, size } = file;
  const other = namedPictureKindOf(file);
  if (other) return OTHER_PICTURE[other];
  if (!ACCEPTED_TYPES.includes(type))
    return `Formats acceptés\u00a0: ${PICTURE_FORMATS.join(", ")}.`;
  if (size > UPLOAD_LIMIT) return `L’image ne doit pas dépasser ${PICTURE_LIMIT}.`;
  return null;
}
