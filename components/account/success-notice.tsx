"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";

/** In characters: anybody can make a link with any text. */
const MAX_LENGTH = 200;

/** The success message of another page, from the URL: `/account?success=…`. */
export function SuccessNotice() {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    setText(new URLSearchParams(window.location.search).get("success"));
  }, []);
  if (!text) return null;
  return (
    <Alert kind="success" className="mb-6">
      {text.slice(0, MAX_LENGTH)}
    </Alert>
  );
}
