const TEXT = Symbol("text");
type WithText = Response & { [TEXT]?: string };

/** A response whose text the server can send as it is, without reading it as a stream. */
export function textResponse(text: string, init: ResponseInit): Response {
  return Object.assign(new Response(text, init), { [TEXT]: text });
}

/** The text of such a response; undefined for any other. */
export const textOf = (response: WithText): string | undefined => response[TEXT];
