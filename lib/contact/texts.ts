/** Answer of POST /api/contact and success text of the form. */
export const MESSAGE_SENT = "Message envoyé avec succès !";
/** Where the server gives no sentence of its own. */
export const SEND_FAILED = "Erreur lors de l'envoi. Veuillez réessayer.";
