// Loaded with the first click on 'Ajouter au panier'.
export { addProduct } from "./add-product";
export { AdditionPanel } from "./addition-panel";
