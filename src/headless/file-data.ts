// What a program sends as an image or a PDF, looked at before it goes to the model: a request with a wrong one is refused, and so is each later one of the session.
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
};

/** What is wrong with it, as the rest of a sentence; undefined where nothing is. */
export function wrongImage(mediaType: unknown, data: unknown): string | undefined {
  const begins =
    typeof mediaType === 'string' && Object.hasOwn(beginnings, mediaType) ? beginnings[mediaType] : undefined;
  if (begins === undefined)
    return `has an image of the type ${JSON.stringify(mediaType) ?? 'undefined'}: it takes ${Object.keys(beginnings).join(', ')}`;
  if (!isBase64(data)) return 'has an image whose data is not valid base64';
  return begins.test(Buffer.from(data.slice(0, 32), 'base64').toString('latin1'))
    ? undefined
    : `has an image whose data is not ${String(mediaType)}`;
}

/** Base64 characters: the API takes requests of 32 MB, and the rest of the conversation needs room too. */
const maxPdf = 24 * 1024 * 1024;

/** The same for a document. */
export function wrongPdf(mediaType: unknown, data: unknown): string | undefined {
  if (mediaType !== 'application/pdf')
    return `has a document of the type ${JSON.stringify(mediaType) ?? 'undefined'}: in base64 it takes application/pdf`;
  if (!isBase64(data)) return 'has a document whose data is not valid base64';
  if (data.length > maxPdf)
    return `has a document of ${Math.ceil(data.length / 1024 / 1024)} MB of base64: it takes ${maxPdf / 1024 / 1024} MB at most`;
  return Buffer.from(data.slice(0, 1400), 'base64').toString('latin1').includes('%PDF-')
    ? undefined
    : 'has a document whose data is not a PDF';
}

function isBase64(data: unknown): data is string {
  // Looked through for what is none: a pattern for the whole would have to keep a place to go back to for each of millions of characters.
  return (
    typeof data === 'string' &&
    data !== '' &&
    data.length % 4 === 0 &&
    !/[^A-Za-z0-9+/]/.test(data.endsWith('=') ? data.slice(0, data.endsWith('==') ? -2 : -1) : data)
  );
}
