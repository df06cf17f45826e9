"use client";

import { useEffect, useState } from "react";
import { Alert } from "@/components/ui/alert";

/** Characters of the sentence: whoever makes a link could write a whole letter into it. */
const MAX_LENGTH = 200;

/** What another page has just achieved, from the address: `/account?success=…`. */
export function SuccessNotice() {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    setText(new URLSearchParams(window.location.search).get("success"));
  }, []);
  if (!text) return null;
  return <Alert kind="success" messages={[text.slice(0, MAX_LENGTH)]} className="mb-6" />;
}
