// Makes a certificate that signs itself, for servers of tests: no key has to lie in the repository.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** Both in PEM. */
  key: string;
  cert: string;
}

/** Valid for these names, for a day, with an elliptic key. */
export function selfSigned(names: readonly string[]): Certificate {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const ecdsaWithSha256 = sequence(objectId(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
  const commonName = sequence(
    tagged(0x31, sequence(objectId(0x55, 0x04, 0x03), tagged(0x0c, Buffer.from('Deft test')))),
  );
  const now = Date.now();
  const day = 86_400_000;
  const alternativeNames = sequence(...names.map((name) => tagged(0x82, Buffer.from(name))));
  const isAuthority = sequence(tagged(0x01, Buffer.from([0xff])));
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(8)])),
    ecdsaWithSha256,
    commonName,
    sequence(time(now - day), time(now + day)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(
      0xa3,
      sequence(
        sequence(objectId(0x55, 0x1d, 0x11), tagged(0x04, alternativeNames)),
        sequence(objectId(0x55, 0x1d, 0x13), tagged(0x04, isAuthority)),
      ),
    ),
  );
  const signature = sign('sha256', content, privateKey);
  const der = sequence(content, ecdsaWithSha256, tagged(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag: number, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? [body.length]
      : body.length < 256
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

function sequence(...parts: Uint8Array[]): Buffer {
  return tagged(0x30, ...parts);
}

function objectId(...bytes: number[]): Buffer {
  return tagged(0x06, Buffer.from(bytes));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function time(ms: number): Buffer {
  return tagged(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}
