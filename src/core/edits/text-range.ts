// A stretch of text by its offsets.

/** UTF-16 offsets; `end` is exclusive. */
export interface TextRange {
  start: number;
  end: number;
}
