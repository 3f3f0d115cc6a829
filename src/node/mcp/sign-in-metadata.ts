// Where an entry itself says where its sign-in is (`authServerMetadataUrl`): reads that, in place of the protocol's own way to find it.
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';

const metadataMs = 10_000;
const maxMetadata = 200_000;

/** Rejects with a sentence. */
export async function readSignInMetadata(server: string, url: string): Promise<OAuthDiscoveryState> {
  if (!isSafe(url)) throw new Error(`“authServerMetadataUrl” of ${server} must begin with https://.`);
  const { origin } = new URL(url);
  // A way that leads elsewhere would put another's words under this origin.
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(metadataMs) });
  if (!response.ok) throw new Error(`${url} answers with status ${response.status}.`);
  const { OAuthMetadataSchema } = await import('@modelcontextprotocol/sdk/shared/auth.js');
  const metadata = OAuthMetadataSchema.parse(JSON.parse((await response.text()).slice(0, maxMetadata)));
  if (!URL.canParse(metadata.issuer) || new URL(metadata.issuer).origin !== origin)
    throw new Error(
      `${url} names an issuer that is not at ${origin}, so the sign-in was refused. Fix “authServerMetadataUrl” of ${server}.`,
    );
  // The library binds tokens to this address. Whoever serves the metadata writes the issuer, and so that cannot be it.
  return { authorizationServerUrl: origin, authorizationServerMetadata: metadata };
}

function isSafe(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1'));
}
