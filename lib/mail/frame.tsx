import type { CSSProperties, ReactNode } from "react";
import {
  Body,
  Button,
  Column,
  Container,
  Head,
  Heading,
  Hr,
  Html,
  Link,
  Preview,
  Row,
  Section,
  Text,
} from "react-email";
import { SHOP_NAME } from "@/lib/shop/shop-name";

// The colours of app/globals.css. Mail programs do not support custom properties. So each element has its
// light colour inline, and a class with which the style sheet below sets the dark colour.
const light = {
  page: "#f5f6f3",
  card: "#ffffff",
  ink: "#15201b",
  muted: "#55605a",
  line: "#dfe3dd",
  accent: "#14594a",
  onAccent: "#ffffff",
  soft: "#e4f0ea",
};

const dark = {
  page: "#0e1512",
  card: "#18211d",
  ink: "#eef2ee",
  muted: "#a9b5ae",
  line: "#33403a",
  accent: "#8fd3bd",
  onAccent: "#0b2a22",
  soft: "#21352d",
};

const darkRules: Record<string, string> = {
  // react-email also copies the body's style to a table cell inside the body.
  ".page": `background-color: ${dark.page} !important`,
  ".page > table > tbody > tr > td": `background-color: ${dark.page} !important`,
  ".card": `background-color: ${dark.card} !important; border-color: ${dark.line} !important`,
  ".ink": `color: ${dark.ink} !important`,
  ".muted": `color: ${dark.muted} !important`,
  ".line": `border-color: ${dark.line} !important`,
  ".accent": `color: ${dark.accent} !important`,
  ".button": `background-color: ${dark.accent} !important; color: ${dark.onAccent} !important`,
  ".soft": `background-color: ${dark.soft} !important; border-color: ${dark.accent} !important; color: ${dark.ink} !important`,
};

// Outlook.com sets these two attributes in its dark mode.
const styleSheet = [
  ":root { color-scheme: light dark; supported-color-schemes: light dark; }",
  "@media (prefers-color-scheme: dark) {",
  ...Object.entries(darkRules).map(([selector, rule]) => `${selector} { ${rule}; }`),
  "}",
  ...Object.entries(darkRules).map(
    ([selector, rule]) => `[data-ogsc] ${selector}, [data-ogsb] ${selector} { ${rule}; }`,
  ),
].join("\n");

const fontFamily =
  '-apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif';
// Break long URLs, names and e-mail addresses, which would make the mail wider than a phone.
const text: CSSProperties = {
  fontSize: "16px",
  lineHeight: "26px",
  margin: "0 0 16px",
  wordBreak: "break-word",
};

interface MailFrameProps {
  /** The mail's subject, used as its title for screen readers. */
  title: string;
  /** The preview text that a mailbox shows beside the subject. */
  preheader: string;
  siteUrl: string;
  children: ReactNode;
}

/** The frame of every mail: brand, card, footer. It loads nothing from the network. */
export function MailFrame({ title, preheader, siteUrl, children }: MailFrameProps) {
  return (
    <Html lang="fr">
      <Head>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{title}</title>
        <style>{styleSheet}</style>
      </Head>
      <Body
        lang="fr"
        className="page"
        style={{ backgroundColor: light.page, fontFamily, margin: 0, padding: "32px 12px" }}
      >
        <Preview useTitleTag={false}>{preheader}</Preview>
        <Container style={{ maxWidth: "560px" }}>
          <Text
            data-skip-in-text="true"
            style={{ ...text, fontSize: "20px", fontWeight: 700, margin: "0 0 16px 4px" }}
          >
            <Link
              href={siteUrl}
              className="accent"
              style={{ color: light.accent, textDecoration: "none" }}
            >
              {SHOP_NAME}
            </Link>
          </Text>
          <Section
            className="card"
            style={{
              backgroundColor: light.card,
              border: `1px solid ${light.line}`,
              borderRadius: "12px",
              padding: "28px 28px 12px",
            }}
          >
            {children}
          </Section>
          <Text
            className="muted"
            style={{
              ...text,
              color: light.muted,
              fontSize: "13px",
              lineHeight: "20px",
              margin: "16px 4px 0",
            }}
          >
            Ce message vous est envoyé par la boutique {SHOP_NAME}.
            <br />
            <Link href={siteUrl} className="muted" style={{ color: light.muted }}>
              {siteUrl}
            </Link>
          </Text>
        </Container>
      </Body>
    </Html>
  );
}

/** The mail's only heading. */
export function Title({ children }: { children: ReactNode }) {
  return (
    <Heading
      as="h1"
      className="ink"
      style={{ color: light.ink, fontSize: "22px", lineHeight: "30px", margin: "0 0 16px" }}
    >
      {children}
    </Heading>
  );
}

export function Paragraph({ children }: { children: ReactNode }) {
  return (
    <Text className="ink" style={{ ...text, color: light.ink }}>
      {children}
    </Text>
  );
}

/** Small print: how long a link is valid, what to do with an unexpected mail. */
export function Note({ children, htmlOnly }: { children: ReactNode; htmlOnly?: boolean }) {
  return (
    <Text
      data-skip-in-text={htmlOnly}
      className="muted"
      style={{ ...text, color: light.muted, fontSize: "14px", lineHeight: "22px" }}
    >
      {children}
    </Text>
  );
}

/** The call to action, with its URL below for programs that show no buttons. */
export function ActionButton({ href, children }: { href: string; children: ReactNode }) {
  return (
    <>
      <Section style={{ margin: "8px 0 20px" }}>
        <Button
          href={href}
          className="button"
          style={{
            backgroundColor: light.accent,
            borderRadius: "10px",
            color: light.onAccent,
            fontSize: "16px",
            fontWeight: 600,
            padding: "13px 22px",
          }}
        >
          {children}
        </Button>
      </Section>
      <Note htmlOnly>
        Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur{"\u00a0:"}
        <br />
        <Link
          href={href}
          className="accent"
          style={{ color: light.accent, textDecoration: "underline", wordBreak: "break-all" }}
        >
          {href}
        </Link>
      </Note>
    </>
  );
}

/** Names and values, one pair per line: sender of a message, lines of an order. */
export function Details({ rows }: { rows: readonly { name: string; value: ReactNode }[] }) {
  return (
    <Text className="ink" style={{ ...text, color: light.ink }}>
      {rows.map(({ name, value }, index) => (
        <span key={name}>
          {index > 0 && <br />}
          <span className="muted" style={{ color: light.muted }}>
            {`${name}\u00a0:`}
          </span>{" "}
          {value}
        </span>
      ))}
    </Text>
  );
}

/** Items and amounts, in two columns; in plain text on one line each. */
export function Amounts({ rows }: { rows: readonly { name: string; amount: string }[] }) {
  const cell = { ...text, color: light.ink, padding: "0 0 8px" };
  return (
    <Section>
      {rows.map(({ name, amount }, index) => (
        // The rows of a mail never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <Row key={index}>
          <Column className="ink" style={cell}>
            {name}
            {/* Only for the plain text, which has no columns. */}
            <span style={{ display: "none" }}>{"\u00a0: "}</span>
          </Column>
          <Column className="ink" style={{ ...cell, textAlign: "right", width: "110px" }}>
            {amount}
          </Column>
        </Row>
      ))}
    </Section>
  );
}

/** A quoted message, with its line breaks. */
export function Quote({ children }: { children: string }) {
  return (
    <Text
      className="soft"
      style={{
        ...text,
        backgroundColor: light.soft,
        borderLeft: `3px solid ${light.accent}`,
        color: light.ink,
        padding: "14px 18px",
      }}
    >
      {children.split(/\r\n|\r|\n/).map((line, index) => (
        // The lines of a text never change their order.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <span key={index}>
          {index > 0 && <br />}
          {line}
        </span>
      ))}
    </Text>
  );
}

export function Divider() {
  return <Hr className="line" style={{ borderColor: light.line, margin: "8px 0 20px" }} />;
}
