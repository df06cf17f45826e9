/** Answer of POST /api/contact and success text of the form. */
export const MESSAGE_SENT = "Message envoyé avec succès !";
/** Shown if the server sends no sentence. */
export const SEND_FAILED = "Erreur lors de l'envoi. Veuillez réessayer.";
