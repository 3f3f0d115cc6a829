// What the document workers are given.
import { type ImageLimits, type PageRange } from '../../core/ports/documents';

export interface PdfJob {
  bytes: Uint8Array;
  pages: PageRange | { wholeUpTo: number };
}

export interface ImageJob {
  bytes: Uint8Array;
  limits: ImageLimits;
}
