// Work on PDF files and large images that would hold up the thread on which everything else runs.

/** 1-based and inclusive. */
export interface PageRange {
  first: number;
  last: number;
}

export type PdfOutcome =
  | {
      outcome: 'read';
      /** Pages of the whole file. */
      total: number;
      /** Base64 of the pages that were asked for, as a PDF of their own; undefined where the file has other pages or too many. */
      data: string | undefined;
    }
  /** `message` is a sentence without the file's name. */
  | { outcome: 'refused'; code: 'encrypted' | 'broken' | 'too_slow' | 'too_large'; message: string };

/** An image as it is to be sent. */
export interface ShrunkImage {
  base64: string;
  bytes: number;
  mediaType: 'image/jpeg';
  width: number;
  height: number;
}

export interface ImageLimits {
  /** Pixels on the longer side. */
  side: number;
  /** Bytes wanted; the quality goes down for it as far as that makes sense. */
  bytes: number;
}

export interface Documents {
  /** `pages`: cut out these, or give the file whole where it has at most `wholeUpTo`. Rejects only on abort. */
  readPdf(bytes: Uint8Array, pages: PageRange | { wholeUpTo: number }, signal: AbortSignal): Promise<PdfOutcome>;
  /** Undefined where this image cannot be made smaller here. Rejects only on abort. */
  shrinkImage(bytes: Uint8Array, limits: ImageLimits, signal: AbortSignal): Promise<ShrunkImage | undefined>;
}
