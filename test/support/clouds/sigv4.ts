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

/** What is wrong with the signature; undefined where it is right. */
export function wrongSignature(
  request: SignedRequest,
  key: AwsKey,
  region: string,
  service: string,
): string | undefined {
  const { headers, body } = request;
  const match =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (match === null) return `no signature: ${headers.authorization ?? 'nothing'}`;
  const [, id = '', day = '', ofRegion = '', ofService = '', names = '', signature] = match;
  if (id !== key.id) return `key ${id}`;
  if (ofRegion !== region || ofService !== service) return `scope ${ofRegion}/${ofService}`;
  const time = String(headers['x-amz-date']);
  if (!time.startsWith(day) || Math.abs(Date.now() - dateOf(time)) > 300_000) return `time ${time}`;
  if (headers['x-amz-security-token'] !== key.session) return 'session token';
  const signed = names.split(';');
  for (const needed of ['host', 'x-amz-date', ...(key.session === undefined ? [] : ['x-amz-security-token'])])
    if (!signed.includes(needed)) return `${needed} is not signed`;
  const hash = sha256(body);
  if (headers['x-amz-content-sha256'] !== undefined && headers['x-amz-content-sha256'] !== hash)
    return 'hash of the body';
  const [path = '', query = ''] = request.url.split('?');
  const canonical = [
    request.method,
    path
      .split('/')
      .map((part) => encode(part))
      .join('/'),
    query.split('&').sort().join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim().replace(/\s+/g, ' ')}`),
    '',
    names,
    hash,
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, `${day}/${region}/${service}/aws4_request`, sha256(canonical)].join('\n');
  const signingKey = [day, region, service, 'aws4_request'].reduce<string | Buffer>(
    (by, part) => createHmac('sha256', by).update(part).digest(),
    `AWS4${key.secret}`,
  );
  const expected = createHmac('sha256', signingKey).update(text).digest('hex');
  return expected === signature ? undefined : `signature ${signature ?? ''}, not ${expected}, of\n${canonical}`;
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
