// What is used of AWS's own library: where its users keep their credentials. Explicit exports, so that a bundle holds nothing else of it.
export { fromHttp, fromIni, fromInstanceMetadata, fromSSO, fromTokenFile } from '@aws-sdk/credential-providers';
