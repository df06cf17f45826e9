"use client";

import clsx from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import { ProductImage } from "@/components/catalogue/product-image";
import { buttonClass } from "@/components/ui/button";
import { ApiError } from "@/lib/api-client";
import { uploadPicture } from "@/lib/backoffice/client";

const ACCEPTED = ["image/jpeg", "image/png", "image/gif", "image/webp"];
const MAX_SIZE = 8_000_000;

interface PictureUploadProps {
  label: string;
  /** File name below /images, or an address; empty for none. */
  value: string;
  onChange: (image: string) => void;
  onBusy: (isBusy: boolean) => void;
  error?: string | undefined;
  errorId?: string | undefined;
}

/** A picture that is sent as soon as it is chosen, with a preview and how far it has come. */
export function PictureUpload({
  label,
  value,
  onChange,
  onBusy,
  error,
  errorId,
}: PictureUploadProps) {
  const id = useId();
  const [progress, setProgress] = useState<number | null>(null);
  const [preview, setPreview] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController>(null);

  useEffect(() => () => running.current?.abort(), []);
  useEffect(() => {
    if (preview) return () => URL.revokeObjectURL(preview);
  }, [preview]);

  async function send(file: File) {
    const wrong = problemOf(file);
    // What is on its way already goes on.
    if (wrong) return setProblem(wrong);
    running.current?.abort();
    setProblem(null);
    const controller = new AbortController();
    running.current = controller;
    setPreview(URL.createObjectURL(file));
    setProgress(0);
    onBusy(true);
    try {
      onChange(await uploadPicture({ file, onProgress: setProgress, signal: controller.signal }));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // Another file has taken its place, or the window was closed.
      if (controller.signal.aborted || failure.isSessionOver) return;
      setPreview(null);
      setProblem(failure.sentence || "L’envoi de l’image a échoué.");
    }
    setProgress(null);
    onBusy(false);
  }

  const message = problem ?? error;
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
            <ProductImage
              image={value}
              alt="Aperçu"
              use="thumbnail"
              className="size-full object-contain"
            />
          ) : (
            <span className="text-muted text-xs">Aucune image</span>
          )}
        </span>
        <div className="flex min-w-0 flex-1 flex-col gap-2">
          <p aria-hidden="true" className="text-sm">
            <span className="link">{value ? "Remplacer l’image" : "Choisir une image"}</span>
            <span className="max-sm:hidden"> ou la déposer ici</span>
          </p>
          {/* It lies over the whole box: a click opens it, and a file may be dropped on it. Its own
              look would speak the browser's language. */}
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
            {value || "JPG, PNG, GIF ou WEBP, 8 Mo au plus"}
          </p>
          {value && progress === null && (
            <button
              type="button"
              className={buttonClass({
                variant: "ghost",
                size: "sm",
                className: "relative -ml-2 w-fit px-2!",
              })}
              onClick={() => {
                setPreview(null);
                onChange("");
              }}
            >
              Retirer l’image
            </button>
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

/** What can be known before anything is sent; the server looks into the file. */
function problemOf({ type, size }: File): string | null {
  if (!ACCEPTED.includes(type)) return "Formats acceptés\u00a0: JPG, PNG, GIF, WEBP.";
  if (size > MAX_SIZE) return "L’image ne doit pas dépasser 8 Mo.";
  return null;
}
