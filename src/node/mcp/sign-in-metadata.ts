// Where an entry itself says where its sign-in is (`authServerMetadataUrl`): reads that, in place of the protocol's own way to find it.
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';

const metadataMs = 10_000;
const maxMetadata = 200_000;

/** Rejects with a sentence. */
export async function readSignInMetadata(server: string, url: string): Promise<OAuthDiscoveryState> {
  if (!/^https:\/\/|^http:\/\/(localhost|127\.0\.0\.1)[:/]/i.test(url)) throw new Error(`“authServerMetadataUrl” of ${server} has to begin with https://.`);
  const response = await fetch(url, { signal: AbortSignal.timeout(metadataMs) });
  if (!response.ok) throw new Error(`${url} answers with status ${response.status}.`);
  const { OAuthMetadataSchema } = await import('@modelcontextprotocol/sdk/shared/auth.js');
  const metadata = OAuthMetadataSchema.parse(JSON.parse((await response.text()).slice(0, maxMetadata)));
  return { authorizationServerUrl: metadata.issuer, authorizationServerMetadata: metadata };
}
