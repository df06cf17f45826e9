"use client";

import clsx from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import type { InputProps } from "@/components/backoffice/crud/crud-field";
import { ProductImage } from "@/components/catalogue/product-image";
import { Button } from "@/components/ui/button";
import { ApiError } from "@/lib/api-error";
import { uploadPicture } from "@/lib/backoffice/client";
import { namedPictureKindOf, PICTURE_KINDS, UPLOAD_LIMIT } from "@/lib/uploads/rules";
import { OTHER_PICTURE } from "@/lib/uploads/texts";

const ACCEPTED = PICTURE_KINDS.map((kind) => `image/${kind === "jpg" ? "jpeg" : kind}`);
const FORMATS = PICTURE_KINDS.map((kind) => kind.toUpperCase());
const LIMIT = `${UPLOAD_LIMIT / 1_000_000} Mo`;

/** Lies above the file field, which covers the whole box. */
const pictureButton = {
  variant: "ghost",
  size: "sm",
  className: "relative -ml-2 w-fit px-2!",
} as const;

const NOT_SENT =
  "L’image choisie n’a pas été enregistrée\u00a0: choisissez-en une autre, ou écartez-la.";

/** The value is a file name below /images, or a URL; empty for none. */
type PictureUploadProps = InputProps<string, unknown>;

/** Uploads a picture. The form cannot be saved during the upload, or while the chosen file is refused. */
function useUpload({ name, onChange, blockSave }: PictureUploadProps) {
  const [progress, setProgress] = useState<number | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController>(null);

  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview);
  }, [preview]);

  const isSending = progress !== null;
  const isRefused = problem !== null;
  useEffect(() => {
    if (isSending) blockSave({ field: name });
    else blockSave(isRefused ? { field: name, message: NOT_SENT } : null);
  }, [isSending, isRefused, name, blockSave]);

  async function send(file: File) {
    const wrong = problemOf(file);
    // A running upload continues.
    if (wrong) return setProblem(wrong);
    running.current?.abort();
    setProblem(null);
    const controller = new AbortController();
    running.current = controller;
    setPreview(URL.createObjectURL(file));
    setProgress(0);
    try {
      onChange(await uploadPicture({ file, onProgress: setProgress, signal: controller.signal }));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // Another file was chosen, or the dialog was closed.
      if (controller.signal.aborted || failure.isSessionOver) return;
      setPreview(null);
      setProblem(failure.sentence || "L’envoi de l’image a échoué.");
    } finally {
      if (running.current === controller) setProgress(null);
    }
  }

  return {
    /** The uploaded share; null while nothing is uploaded. */
    progress,
    preview,
    /** Why the picture was refused. */
    problem,
    send,
    dismiss: () => setProblem(null),
    forgetPreview: () => setPreview(null),
  };
}

/** Uploads a picture as soon as it is chosen, with a preview and the progress. */
export function PictureUpload(props: PictureUploadProps) {
  const { label, value, onChange } = props;
  const { error, errorId } = props.problem;
  const id = useId();
  const { progress, preview, problem, send, dismiss, forgetPreview } = useUpload(props);
  const isSending = progress !== null;
  const message = problem ?? error;
  /** To be called after the use of a button that then disappears. */
  const focusFile = () => document.getElementById(id)?.focus();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="w-fit font-medium text-sm">
        {label}
      </label>
      <div
        className={clsx(
          "relative flex items-center gap-4 rounded-md border border-dashed p-3 hover:bg-surface has-focus-visible:outline-2 has-focus-visible:outline-accent",
          message ? "border-danger" : "border-line-strong",
        )}
      >
        <span className="grid size-24 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-surface">
          {preview ? (
            // biome-ignore lint/performance/noImgElement: a file of this computer
            <img src={preview} alt="Aperçu" className="size-full object-contain" />
          ) : value ? (
            <ProductImage image={value} alt="Aperçu" use="thumbnail" />
          ) : (
            <span className="text-muted text-xs">Aucune image</span>
          )}
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <p aria-hidden="true" className="text-sm">
            <span className="link">{value ? "Remplacer l’image" : "Choisir une image"}</span>
            <span className="max-sm:hidden"> ou la déposer ici</span>
          </p>
          {/* Covers the whole box: a click opens it, and a file may be dropped on it. Invisible, since
              the text of a file field is in the browser's language. */}
          <input
            id={id}
            type="file"
            accept={ACCEPTED.join(",")}
            title=""
            aria-invalid={message || errorId ? true : undefined}
            aria-describedby={clsx(`${id}-hint`, message && `${id}-error`, errorId)}
            className="absolute inset-0 size-full cursor-pointer opacity-0"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) void send(file);
              // The same file may be chosen again after an error.
              target.value = "";
            }}
          />
          {progress !== null && (
            <progress
              aria-label="Envoi de l’image"
              value={progress}
              max={1}
              className="h-2 w-full accent-accent"
            />
          )}
          <p id={`${id}-hint`} className="break-all text-muted text-xs">
            {value || `${FORMATS.slice(0, -1).join(", ")} ou ${FORMATS.at(-1)}, ${LIMIT} au plus`}
          </p>
          {problem !== null && (
            <Button
              {...pictureButton}
              onClick={() => {
                dismiss();
                focusFile();
              }}
            >
              Écarter l’image refusée
            </Button>
          )}
          {value && !isSending && (
            <Button
              {...pictureButton}
              onClick={() => {
                forgetPreview();
                onChange("");
                focusFile();
              }}
            >
              Retirer l’image
            </Button>
          )}
        </div>
      </div>
      {message && (
        <p id={`${id}-error`} role="alert" className="text-danger text-sm">
          {message}
        </p>
      )}
    </div>
  );
}

/** Validates type and size before the upload; the server checks the content. */
function problemOf(file: File): string | null {
  const { type, size } = file;
  const other = namedPictureKindOf(file);
  if (other) return OTHER_PICTURE[other];
  if (!ACCEPTED.includes(type)) return `Formats acceptés\u00a0: ${FORMATS.join(", ")}.`;
  if (size > UPLOAD_LIMIT) return `L’image ne doit pas dépasser ${LIMIT}.`;
  return null;
}
