"use client";

import clsx from "clsx";
import { ArrowDown, ArrowUp, GripVertical } from "lucide-react";
import { type ComponentProps, type DragEvent, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import type { InputProps } from "@/components/backoffice/crud/crud-field";
import { removeItem } from "@/components/backoffice/forms/remove-item";
import { ProductImage } from "@/components/catalogue/product-image";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { CloseIcon } from "@/components/ui/icons";
import { MAX_ALT } from "@/lib/catalogue/detail-schemas";
import { MAX_IMAGES } from "@/lib/catalogue/rules";
import {
  ACCEPTED_TYPES,
  PICTURE_FORMATS,
  PICTURE_LIMIT,
  type Picture,
  type PictureUpload,
  usePictureUploads,
} from "./use-picture-uploads";

const HINT = `${PICTURE_FORMATS.slice(0, -1).join(", ")} ou ${PICTURE_FORMATS.at(-1)}, ${PICTURE_LIMIT} au plus, ${MAX_IMAGES} images. La première est celle des listes.`;

const frame =
  "grid size-18 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-surface";
const iconButton =
  "grid size-9 place-items-center rounded-md text-muted hover:bg-surface hover:text-ink disabled:cursor-not-allowed disabled:opacity-40";

/** The list with the picture at `from` moved to `to`. */
function moved(list: readonly Picture[], { from, to }: { from: number; to: number }): Picture[] {
  const picture = list[from];
  const others = list.filter((_, index) => index !== from);
  return picture ? [...others.slice(0, to), picture, ...others.slice(to)] : others;
}

/**
 * The pictures of a product, in their order: sent as soon as they are chosen, moved by dragging or by buttons,
 * each with a text for those who do not see it.
 */
export function ProductPictures(props: InputProps<readonly Picture[], unknown>) {
  const { label, value, problem: listed } = props;
  const { uploads, problem, add, change, dismiss } = usePictureUploads(props);
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const [dragged, setDragged] = useState<number | null>(null);
  /** Where the dragged picture would be dropped. */
  const [target, setTarget] = useState<number | null>(null);
  const message = problem ?? listed.error;

  function move(from: number, to: number) {
    flushSync(() => change(moved(value, { from, to })));
    setAnnouncement(`Image déplacée en position ${to + 1} sur ${value.length}.`);
  }

  /** Keeps the focus on the picture: the browser drops it when the picture changes its place. */
  function moveByButton(from: number, step: 1 | -1) {
    move(from, from + step);
    const buttons = [
      ...(list.current?.children[from + step]?.querySelectorAll<HTMLButtonElement>(
        "button[data-step]",
      ) ?? []),
    ].filter(({ disabled }) => !disabled);
    const same = buttons.find(({ dataset }) => dataset.step === String(step));
    (same ?? buttons[0])?.focus();
  }

  const handle = (index: number) => ({
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.effectAllowed = "move";
      setDragged(index);
    },
    onDragEnd: () => {
      setDragged(null);
      setTarget(null);
    },
  });
  const place = (index: number) => ({
    onDragOver: (event: DragEvent) => {
      // A file is dropped on the box below.
      if (dragged === null) return;
      // Without this the browser refuses the drop.
      event.preventDefault();
      setTarget(index);
    },
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      if (dragged !== null && dragged !== index) move(dragged, index);
    },
  });

  return (
    <div data-items className="flex flex-col gap-3">
      {/* The heading of this part of the form says the same. */}
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      {value.length > 0 && (
        <ul ref={list} className="flex flex-col gap-2">
          {value.map((picture, index) => (
            <PictureItem
              key={picture.url}
              picture={picture}
              index={index}
              count={value.length}
              isDragged={dragged === index}
              isTarget={target === index && dragged !== index}
              handle={handle(index)}
              place={place(index)}
              onDescribe={(alt) =>
                change(value.map((each) => (each === picture ? { ...each, alt } : each)))
              }
              onMove={(step) => moveByButton(index, step)}
              onRemove={() => {
                change(value.filter((each) => each !== picture));
                setAnnouncement("Image retirée.");
              }}
            />
          ))}
        </ul>
      )}
      <UploadList uploads={uploads} />
      <div
        className={clsx(
          "relative flex flex-col gap-1 rounded-md border border-dashed p-4 hover:bg-surface has-focus-visible:outline-2 has-focus-visible:outline-accent",
          message ? "border-danger" : "border-line-strong",
        )}
      >
        <p aria-hidden="true" className="text-sm">
          <span className="link">
            {value.length > 0 ? "Ajouter des images" : "Choisir des images"}
          </span>
          <span className="max-sm:hidden"> ou les déposer ici</span>
        </p>
        {/* Covers the whole box: a click opens it, and files may be dropped on it. Invisible, since the text of
            a file field is in the browser's language. */}
        <input
          id={id}
          type="file"
          multiple
          accept={ACCEPTED_TYPES.join(",")}
          title=""
          aria-invalid={message || listed.errorId ? true : undefined}
          aria-describedby={clsx(`${id}-hint`, message && `${id}-error`, listed.errorId)}
          className="absolute inset-0 size-full cursor-pointer opacity-0"
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            // The same file may be chosen again after an error.
            target.value = "";
          }}
        />
        <p id={`${id}-hint`} className="text-muted text-xs">
          {HINT}
        </p>
        {problem !== null && (
          <Button
            variant="ghost"
            size="sm"
            // Above the file field, which covers the whole box.
            className="relative -ml-2 w-fit px-2!"
            onClick={() => {
              dismiss();
              document.getElementById(id)?.focus();
            }}
          >
            Écarter l’image refusée
          </Button>
        )}
      </div>
      {message && (
        <p id={`${id}-error`} role="alert" className="text-danger text-sm">
          {message}
        </p>
      )}
      <p aria-live="polite" className="sr-only">
        {announcement}
      </p>
    </div>
  );
}

/** The chosen files that are not yet pictures of the product. */
function UploadList({ uploads }: { uploads: readonly PictureUpload[] }) {
  if (uploads.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2">
      {uploads.map(({ preview, progress }) => (
        <li key={preview} className="flex items-center gap-3 rounded-md border border-line p-3">
          <span className={frame}>
            {/* biome-ignore lint/performance/noImgElement: a file of this computer */}
            <img src={preview} alt="Aperçu" className="size-full object-contain" />
          </span>
          <progress
            aria-label="Envoi de l’image"
            value={progress}
            max={1}
            className="h-2 w-full accent-accent"
          />
        </li>
      ))}
    </ul>
  );
}

function PictureItem({
  picture,
  index,
  count,
  isDragged,
  isTarget,
  handle,
  place,
  onDescribe,
  onMove,
  onRemove,
}: {
  picture: Picture;
  /** From 0. */
  index: number;
  /** Pictures of the product. */
  count: number;
  isDragged: boolean;
  isTarget: boolean;
  handle: ComponentProps<"span">;
  place: ComponentProps<"li">;
  onDescribe: (alt: string) => void;
  onMove: (step: 1 | -1) => void;
  onRemove: () => void;
}) {
  const number = index + 1;
  return (
    <li
      {...place}
      className={clsx(
        "grid grid-cols-[auto_1fr] items-start gap-3 rounded-md border border-line p-3 sm:grid-cols-[auto_1fr_auto]",
        isDragged && "opacity-50",
        isTarget && "border-accent bg-accent-soft",
      )}
    >
      <span {...handle} className="flex cursor-grab items-center gap-1 active:cursor-grabbing">
        {count > 1 && (
          <GripVertical size={16} aria-hidden="true" className="text-muted max-sm:hidden" />
        )}
        <span className={frame}>
          <ProductImage
            image={picture.url}
            alt={picture.alt || `Image ${number}`}
            use="thumbnail"
          />
        </span>
      </span>
      <div className="flex min-w-0 flex-col gap-1.5 max-sm:col-span-2 max-sm:row-start-2">
        <TextField
          label={`Texte alternatif ${number}`}
          optional
          maxLength={MAX_ALT}
          value={picture.alt}
          onChange={({ target }) => onDescribe(target.value)}
        />
        <p className="flex flex-wrap items-center gap-2 break-all text-muted text-xs">
          {index === 0 && <Badge>Principale</Badge>}
          <span>{picture.url}</span>
        </p>
      </div>
      <div className="flex justify-end">
        <MoveButton
          label={`Monter l’image ${number}`}
          step={-1}
          disabled={index === 0}
          onMove={onMove}
        />
        <MoveButton
          label={`Descendre l’image ${number}`}
          step={1}
          disabled={number === count}
          onMove={onMove}
        />
        <button
          type="button"
          className={iconButton}
          title="Retirer"
          data-remove
          onClick={({ currentTarget }) => removeItem(currentTarget, onRemove)}
        >
          <CloseIcon size={18} />
          <span className="sr-only">{`Retirer l’image ${number}`}</span>
        </button>
      </div>
    </li>
  );
}

function MoveButton({
  label,
  step,
  disabled,
  onMove,
}: {
  label: string;
  step: 1 | -1;
  disabled: boolean;
  onMove: (step: 1 | -1) => void;
}) {
  const Icon = step === 1 ? ArrowDown : ArrowUp;
  return (
    <button
      type="button"
      className={iconButton}
      data-step={step}
      disabled={disabled}
      title={step === 1 ? "Descendre" : "Monter"}
      onClick={() => onMove(step)}
    >
      <Icon size={18} aria-hidden="true" />
      <span className="sr-only">{label}</span>
    </button>
  );
}
