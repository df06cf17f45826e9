import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { transformSync } from "esbuild";

// French typography: a no-break space before a colon and inside « », a narrow one before ; ! and ?,
// so that no line begins with a punctuation mark.

/** Sentences whose wording is fixed, with a plain space. */
const AS_SPECIFIED = [
  // The end of "Bonjour {Prénom} {Nom} !".
  " !",
  "2FA testé avec succès !",
  "Connexion 2FA réussie ! Redirection...",
  "Connexion réussie ! Redirection...",
  "Créer un compte et rejoignez-nous !",
  "Informations mises à jour !",
  "Inscription réussie ! Redirection...",
  "Message envoyé avec succès !",
  "Supprimer ce panier ?",
  "Supprimer ce produit ?",
  "Supprimer ce tag ?",
  "Supprimer cet avis ?",
  "Supprimer cet utilisateur ?",
  "Supprimer cette adresse ?",
  // The wording is not fixed, but analogous.
  "Supprimer cette catégorie ?",
  "Supprimer cette commande ?",
  "Supprimer cette facture ?",
  "Votre avis a été soumis et sera visible après modération. Merci !",
  "Votre mot de passe a été réinitialisé avec succès ! Redirection...",
];

/** A punctuation mark after a plain space, or after a no-break space of the wrong width. */
const WRONG = /(?: [:;!?]|\u00a0[;!?]|\u202f:)(?=[\s.,…]|$)| »|« /;

/** Pages, components, mails, and the sentences of the API. */
const READ = /^(?:app\/(?!api\/)|components\/|lib\/mail\/).*\.tsx?$|^lib\/.*\/texts\.ts$/;

function sources(): string[] {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return files.filter((file) => READ.test(file) && !/\.(?:test|bench)\./.test(file));
}

/** The strings of a source, JSX text included; expressions split them. */
function textsOf(file: string): string[] {
  const { code } = transformSync(readFileSync(file, "utf8"), {
    loader: file.endsWith("x") ? "tsx" : "ts",
    jsx: "automatic",
    charset: "utf8",
    supported: { "template-literal": false },
  });
  return [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"/g)].map(([, text = ""]) => text);
}

test("no French sentence has a plain space where a line must not break", () => {
  const texts = sources().flatMap(textsOf);
  expect(texts).toContain("Votre panier est vide.");
  const wrong = new Set(texts.filter((text) => WRONG.test(text)));
  expect([...wrong].sort()).toEqual(AS_SPECIFIED.toSorted());
});
