/** A category with a picture of its goods. */
export interface CategoryTile {
  id: number;
  name: string;
  image: string | null;
  /** The number of products in it. */
  products: number;
}

/** A review on the home page. */
export interface HomeReview {
  id: number;
  rating: number;
  content: string;
  /** "Camille D." */
  author: string;
  product: { id: number; name: string; image: string | null; categoryId: number };
}
