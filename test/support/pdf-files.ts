// PDF files made for tests: each page encodes its number in its size, so that cuts can be distinguished.
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib';
import { deflateSync } from 'node:zlib';

/** Page n is 100 + n points wide. With `links` every page has a link to the last one. */
export async function pdfOf(
  pages: number,
  { links = false, password }: { links?: boolean; password?: string } = {},
): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  for (let page = 1; page <= pages; page++)
    document.addPage([100 + page, 200]).drawText(`Page ${page}`, { size: 12, x: 5, y: 100 });
  if (links) {
    const last = document.getPage(pages - 1);
    for (const page of document.getPages()) {
      const link = { Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 50], Dest: [last.ref, PDFName.of('Fit')] };
      const remark = {
        Type: 'Annot',
        Subtype: 'FreeText',
        Rect: [0, 0, 50, 50],
        Contents: PDFString.of('a remark'),
        P: last.ref,
      };
      page.node.set(
        PDFName.of('Annots'),
        document.context.obj([
          document.context.register(document.context.obj(link)),
          document.context.register(document.context.obj(remark)),
        ]),
      );
    }
  }
  if (password !== undefined) document.encrypt({ userPassword: password, ownerPassword: password });
  return document.save();
}

/** The numbers of the pages that a PDF of pdfOf() has, from its base64 text. */
export async function pageNumbers(data: string): Promise<number[]> {
  const document = await PDFDocument.load(Buffer.from(data, 'base64'));
  return document.getPages().map((page) => page.getWidth() - 100);
}

/** A small PDF of one page with a stream of objects that unpacks to `megabytes` of blanks. */
export async function pdfBomb(megabytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([101, 200]);
  const file = Buffer.from(await document.save({ useObjectStreams: false }));
  const data = deflateSync(Buffer.alloc(megabytes * 1024 * 1024, ' '));
  const end = file.indexOf('\nxref');
  const head = `\n99 0 obj\n<< /Type /ObjStm /N 0 /First 0 /Filter /FlateDecode /Length ${data.length} >>\nstream\n`;
  return Buffer.concat([
    file.subarray(0, end),
    Buffer.from(head),
    data,
    Buffer.from('\nendstream\nendobj\n'),
    file.subarray(end),
  ]);
}
