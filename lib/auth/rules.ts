/** The minimum length of a name at registration; later a name may be shorter, but not empty. */
export const NAME_MIN_LENGTH = 3;
export const NAME_MAX_LENGTH = 100;

const PASSWORD_MIN_LENGTH = 8;
/** Longer ones would only cost the server time. */
const PASSWORD_MAX_LENGTH = 200;

const STEM = "Le mot de passe doit contenir au moins";

/** The criteria of a password, in the order of their messages. */
const CRITERIA: readonly {
  /** Short, for the list beside the field. */
  label: string;
  message: string;
  isMet: (password: string) => boolean;
}[] = [
  {
    label: `${PASSWORD_MIN_LENGTH} caractères`,
    message: `${STEM} ${PASSWORD_MIN_LENGTH} caractères`,
    isMet: (password) => [...password].length >= PASSWORD_MIN_LENGTH,
  },
  {
    label: "une majuscule",
    message: `${STEM} une lettre majuscule`,
    isMet: (password) => /\p{Lu}/u.test(password),
  },
  {
    label: "une minuscule",
    message: `${STEM} une lettre minuscule`,
    isMet: (password) => /\p{Ll}/u.test(password),
  },
  {
    label: "un chiffre",
    message: `${STEM} un chiffre`,
    isMet: (password) => /\p{Nd}/u.test(password),
  },
  {
    label: "un caractère spécial",
    message: `${STEM} un caractère spécial`,
    isMet: (password) => /[^\p{L}\p{N}\s]/u.test(password),
  },
];

/** The criteria of a new password, and whether this one meets them. */
export const passwordCriteria = (password: string): { label: string; isMet: boolean }[] =>
  CRITERIA.map(({ label, isMet }) => ({ label, isMet: isMet(password) }));

/** The messages of the criteria that a new password does not meet. */
export function listPasswordProblems(password: string): string[] {
  if ([...password].length > PASSWORD_MAX_LENGTH) {
    return [`Le mot de passe doit contenir au plus ${PASSWORD_MAX_LENGTH} caractères`];
  }
  return CRITERIA.filter(({ isMet }) => !isMet(password)).map(({ message }) => message);
}

/** How many of the five criteria are met, at most 4: the segments of the strength bar. */
export function passwordStrength(password: string): number {
  return Math.min(4, CRITERIA.filter(({ isMet }) => isMet(password)).length);
}
