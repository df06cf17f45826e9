import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { transformSync } from "esbuild";

// What people read is set as French is: a no-break space before a colon and inside « », a narrow one
// before ; ! and ?, so that no line begins with a sign.

/** Sentences that the specifications give, which others compare letter by letter. */
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
  // Not given, but one of their kind.
  "Supprimer cette catégorie ?",
  "Supprimer cette commande ?",
  "Supprimer cette facture ?",
  "Votre avis a été soumis et sera visible après modération. Merci !",
  "Votre mot de passe a été réinitialisé avec succès ! Redirection...",
];

/** A sign after a space that is plain or of the other width. */
const WRONG = /(?: [:;!?]|\u00a0[;!?]|\u202f:)(?=[\s.,…]|$)| »|« /;

/** Pages and their parts, mails, and the sentences that the API answers as well. */
const READ = /^(?:app\/(?!api\/)|components\/|lib\/mail\/).*\.tsx?$|^lib\/.*\/texts\.ts$/;

function sources(): string[] {
  const files = ["app", "components", "lib"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  return files.filter((file) => READ.test(file) && !/\.(?:test|bench)\./.test(file));
}

/** The texts of a source, those between tags included; what is put into one parts it. */
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
