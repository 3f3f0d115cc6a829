// What is used of AWS's own library: where its users keep their credentials.
import { fromHttp, fromIni, fromInstanceMetadata, fromSSO, fromTokenFile } from '@aws-sdk/credential-providers';

/** By name, so that a bundle holds nothing else of it. */
export const awsSdk = { fromHttp, fromIni, fromInstanceMetadata, fromSSO, fromTokenFile };
