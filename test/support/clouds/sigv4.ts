// Checks a request's AWS Signature Version 4 as AWS does it, written from the specification: nothing of AWS's library.
import { createHash, createHmac } from 'node:crypto';
import { type IncomingHttpHeaders } from 'node:http';

export interface SignedRequest {
  method: string;
  /** As it came, with its query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface AwsKey {
  id: string;
  secret: string;
  session?: string;
}

/** What the header says: who signs, for what, over which headers. */
interface Authorization {
  id: string;
  day: string;
  region: string;
  service: string;
  /** Names of the signed headers, separated by semicolons. */
  names: string;
  signature: string;
}

/** What is wrong with the signature; undefined where it is right. */
export function wrongSignature(
  request: SignedRequest,
  key: AwsKey,
  region: string,
  service: string,
): string | undefined {
  const { headers } = request;
  const given = readAuthorization(headers.authorization ?? '');
  if (given === undefined) return `no signature: ${headers.authorization ?? 'nothing'}`;
  if (given.id !== key.id) return `key ${given.id}`;
  if (given.region !== region || given.service !== service) return `scope ${given.region}/${given.service}`;
  const wrong = wrongHeaders(request, key, given);
  if (wrong !== undefined) return wrong;
  const canonical = canonicalRequest(request, given.names);
  const scope = `${given.day}/${region}/${service}/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const signingKey = [given.day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (by, part) => createHmac('sha256', by).update(part).digest(),
    `AWS4${key.secret}`,
  );
  const expected = createHmac('sha256', signingKey).update(text).digest('hex');
  return expected === given.signature ? undefined : `signature ${given.signature}, not ${expected}, of\n${canonical}`;
}

function readAuthorization(header: string): Authorization | undefined {
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      header,
    );
  if (match === null) return undefined;
  const [, id = '', day = '', region = '', service = '', names = '', signature = ''] = match;
  return { id, day, region, service, names, signature };
}

/** The time, the session's token and the body's hash, and that they are signed. */
function wrongHeaders(
  { headers, body }: SignedRequest,
  key: AwsKey,
  { day, names }: Authorization,
): string | undefined {
  const time = String(headers['x-amz-date']);
  if (!time.startsWith(day) || Math.abs(Date.now() - dateOf(time)) > 300_000) return `time ${time}`;
  if (headers['x-amz-security-token'] !== key.session) return 'session token';
  const signed = names.split(';');
  for (const needed of ['host', 'x-amz-date', ...(key.session === undefined ? [] : ['x-amz-security-token'])])
    if (!signed.includes(needed)) return `${needed} is not signed`;
  const hash = headers['x-amz-content-sha256'];
  return hash !== undefined && hash !== sha256(body) ? 'hash of the body' : undefined;
}

function canonicalRequest({ method, url, headers, body }: SignedRequest, names: string): string {
  const [path = '', query = ''] = url.split('?');
  return [
    method,
    path
      .split('/')
      .map((part) => encode(part))
      .join('/'),
    query.split('&').sort().join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    names,
    sha256(body),
  ].join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Of a part that is encoded already: AWS encodes once more. */
function encode(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

function dateOf(time: string): number {
  return Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
}
