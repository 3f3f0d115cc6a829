// Read beyond its table: pictures, and its place among the tools.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type Documents, type ShrunkImage } from '../../../../../src/core/ports/documents';
import { jsonSchemaOf } from '../../../../../src/core/tool/tool-schema';
import { readTool } from '../../../../../src/core/tools/read/read';
import { readOutputSchema } from '../../../../../src/core/tools/read/read-output';
import { createWorkspace, run, type Run } from '../../../../support/file-tool-runs';

const a = { file_path: '/w/a.txt' };

describe('Read', () => {
  const images: [name: string, bytes: number[], mediaType: string, size: string | undefined][] = [
    [
      'PNG',
      [
        0x89,
        0x50,
        0x4e,
        0x47,
        0x0d,
        0x0a,
        0x1a,
        0x0a,
        0,
        0,
        0,
        13,
        0x49,
        0x48,
        0x44,
        0x52,
        0,
        0,
        1,
        0,
        0,
        0,
        0,
        32,
        8,
        2,
        ...Buffer.from('IEND'),
      ],
      'image/png',
      '256 × 32',
    ],
    ['GIF', [...Buffer.from('GIF89a'), 10, 0, 20, 0, 0, 0x3b], 'image/gif', '10 × 20'],
    [
      'JPEG',
      [0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc0, 0, 17, 8, 0, 5, 0, 7, 3, 0, 0, 0, 0xff, 0xd9],
      'image/jpeg',
      '7 × 5',
    ],
    ['JPEG with an odd header', [0xff, 0xd8, 0xff, 0xe0, 0, 99, 0xff, 0xd9], 'image/jpeg', undefined],
    [
      'WebP, extended',
      [...Buffer.from('RIFF\0\0\0\0WEBPVP8X'), 10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0],
      'image/webp',
      '100 × 50',
    ],
    ['WebP, lossless', [...Buffer.from('RIFF\0\0\0\0WEBPVP8L'), 5, 0, 0, 0, 0x2f, 9, 64, 1, 0], 'image/webp', '10 × 6'],
    [
      'WebP, lossy',
      [...Buffer.from('RIFF\0\0\0\0WEBPVP8 '), 0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a, 16, 0, 8, 0],
      'image/webp',
      '16 × 8',
    ],
  ];
  for (const [name, bytes, mediaType, size] of images) {
    for (const path of ['/w/picture.png', '/w/blob']) {
      it(`${name} as ${path} is shown as an image`, async () => {
        const workspace = createWorkspace({ [path]: Uint8Array.from([...bytes, 0]) });
        const { content, detail, view } = await run(workspace, readTool, { file_path: path });
        const data = Buffer.from([...bytes, 0]).toString('base64');
        assert.deepEqual(content, [{ type: 'image', source: { type: 'base64', media_type: mediaType, data } }]);
        assert.equal(detail, size ?? '1 KB');
        assert.equal((view as { kind: string }).kind, 'image');
      });
    }
  }

  for (const [name, bytes] of [
    ...images.slice(0, 3).map(([kind, whole]) => [kind, whole.slice(0, -1)] as const),
    ['WebP', [...Buffer.from('RIFF\x40\0\0\0WEBPVP8X'), 10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0]] as const,
  ]) {
    it(`refuses a ${name} whose end is missing`, async () => {
      const result = await run(createWorkspace({ '/w/picture.png': Uint8Array.from(bytes) }), readTool, {
        file_path: '/w/picture.png',
      });
      assert.equal(result.failed, 'image-damaged');
      assert.match(result.text, /is a truncated image/);
    });
  }

  const png = readFileSync('media/icon.png');
  const preview = [0xff, 0xd8, 0xff, 0xd9];
  const jpeg = Buffer.from([
    0xff,
    0xd8,
    0xff,
    0xe1,
    0,
    6,
    ...preview,
    0xff,
    0xc0,
    0,
    17,
    8,
    0,
    5,
    0,
    7,
    3,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0xff,
    0xda,
    0,
    3,
    9,
    1,
    0xff,
    0,
    2,
    0xff,
    0xd0,
    3,
    0xff,
    0xff,
    0xda,
    0,
    2,
    4,
    0xff,
    0,
    0xd9,
    0xff,
    0xd9,
  ]);
  const behind = Buffer.alloc(100_000, 0x41);
  for (const [name, bytes] of [
    ['PNG', png],
    ['JPEG', jpeg],
  ] as const) {
    const path = `/w/a.${name.toLowerCase()}`;
    const read = (...parts: Buffer[]): Promise<Run> =>
      run(createWorkspace({ [path]: Buffer.concat(parts) }), readTool, { file_path: path });

    it(`shows a ${name} up to its end mark, whatever stands behind it`, async () => {
      for (const rest of [behind, behind.subarray(0, 10), Buffer.concat([behind, bytes]), Buffer.alloc(0)]) {
        const { content } = await read(bytes, rest);
        assert.ok(
          Array.isArray(content) && content[0]?.type === 'image' && content[0].source.type === 'base64',
          String(rest.length),
        );
        assert.equal(content[0].source.data, bytes.toString('base64'));
      }
    });

    it(`refuses a ${name} that breaks off anywhere in its last bytes`, async () => {
      for (let less = 1; less < 16; less++)
        assert.equal((await read(bytes.subarray(0, -less))).failed, 'image-damaged', String(less));
    });
  }

  it('encodes large images right', async () => {
    const bytes = Buffer.alloc(1_000_003, 0xa5);
    bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    bytes.set(Buffer.from('IEND'), bytes.length - 8);
    const { content } = await run(createWorkspace({ '/w/a.png': bytes }), readTool, { file_path: '/w/a.png' });
    assert.ok(Array.isArray(content) && content[0]?.type === 'image' && content[0].source.type === 'base64');
    assert.equal(content[0].source.data, bytes.toString('base64'));
  });

  it('refuses images that are too large, unopened, and those with too many pixels', async () => {
    const workspace = createWorkspace({
      '/w/a.png': Buffer.alloc(4_000_000),
      '/w/b.png': Uint8Array.from([
        0x89,
        0x50,
        0x4e,
        0x47,
        0x0d,
        0x0a,
        0x1a,
        0x0a,
        0,
        0,
        0,
        13,
        0x49,
        0x48,
        0x44,
        0x52,
        0,
        0,
        0x40,
        0,
        0,
        0,
        0,
        1,
        ...Buffer.from('IEND'),
      ]),
    });
    const large = await run(workspace, readTool, { file_path: '/w/a.png' });
    assert.match(large.text, /is an image of 3\.81 MB; at most 3\.75 MB can be shown/);
    assert.deepEqual(workspace.files.calls, []);
    const wide = await run(workspace, readTool, { file_path: '/w/b.png' });
    assert.match(wide.text, /is 16384 × 1 pixels; images may have at most 8000/);
  });

  it('shows a large image as a smaller copy, and says how its pixels compare', async () => {
    const made: ShrunkImage = { base64: 'AAAA', bytes: 3, mediaType: 'image/jpeg', width: 2_000, height: 500 };
    const shrunk: [bytes: number, limits: unknown][] = [];
    const show = (size: number, width: number, height: number, copy: ShrunkImage | undefined): Promise<Run> => {
      const bytes = Buffer.alloc(size);
      bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
      bytes.writeUInt32BE(width, 16);
      bytes.writeUInt32BE(height, 20);
      bytes.set(Buffer.from('IEND'), size - 8);
      const shrinkImage: Documents['shrinkImage'] = async (source, limits) => {
        shrunk.push([source.length, limits]);
        return copy;
      };
      const documents: Documents = { shrinkImage, readPdf: () => assert.fail('no PDF') };
      return run({ ...createWorkspace({ '/w/a.png': bytes }), documents }, readTool, { file_path: '/w/a.png' });
    };
    const large = await show(600_000, 4_000, 1_000, made);
    assert.deepEqual(large.content, [
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AAAA' } },
      {
        type: 'text',
        text: '<system-reminder>The image was scaled down: 4000 × 1000 pixels are shown as 2000 × 500. Multiply coordinates by 2.00 to get those in the file.</system-reminder>',
      },
    ]);
    assert.deepEqual([large.detail, shrunk], ['4000 × 1000', [[600_000, { side: 2_000, bytes: 512_000 }]]]);
    assert.ok(readOutputSchema.safeParse(large.output).success);
    const alike = await show(600_000, 2_000, 500, made);
    assert.match(
      JSON.stringify(alike.content),
      /JPEG copy of the image with some loss of detail; its size in pixels is the same/,
    );
    assert.equal((await show(10_000_000, 4_000, 1_000, made)).failed, undefined, 'more bytes than the API takes');
    assert.equal((await show(20_000, 9_000, 1_000, made)).failed, undefined, 'more pixels than the API takes');
    const typeOf = ({ content }: Run): unknown =>
      Array.isArray(content) && content[0]?.type === 'image' && content[0].source.type === 'base64'
        ? content[0].source.media_type
        : content;
    assert.equal(typeOf(await show(600_000, 4_000, 1_000, undefined)), 'image/png', 'it could not be made smaller');
    assert.equal(
      typeOf(await show(600_000, 4_000, 1_000, { ...made, bytes: 700_000 })),
      'image/png',
      'the copy is larger',
    );
    shrunk.length = 0;
    assert.equal(typeOf(await show(400_000, 4_000, 1_000, made)), 'image/png', 'small enough');
    assert.match(
      (await show(600_000, 30_000, 3_000, made)).text,
      /is 30000 × 3000 pixels; images may have at most 8000/,
    );
    assert.match((await show(4_000_000, 10_000, 9_000, made)).text, /at most 8000/);
    assert.deepEqual(shrunk, [], 'too many pixels to unpack');
    assert.match(
      (await show(34_000_000, 4_000, 1_000, made)).text,
      /is an image of 32\.42 MB; at most 32\.00 MB can be shown/,
    );
    assert.match(
      (await show(4_000_000, 2_000, 1_000, undefined)).text,
      /is an image of 3\.81 MB; at most 3\.75 MB can be shown/,
    );
  });

  it('tells what it may do and what it touches', () => {
    assert.equal(readTool.access, 'ReadOnly');
    assert.ok(readTool.isReadOnly(a) && readTool.isConcurrencySafe(a));
    assert.deepEqual(readTool.targets({ file_path: 'b/../c' }, '/w'), [{ kind: 'file', access: 'read', path: '/w/c' }]);
    assert.deepEqual(readTool.targets({ file_path: 'C:\\b\\c' }, 'C:/w'), [
      { kind: 'file', access: 'read', path: 'C:/b/c' },
    ]);
    assert.deepEqual(Object.keys(jsonSchemaOf(readTool.inputSchema).properties ?? {}), [
      'file_path',
      'offset',
      'limit',
      'pages',
    ]);
  });
});
