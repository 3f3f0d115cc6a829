// What is used of Google's own library: where its users keep their credentials.
import { GoogleAuth } from 'google-auth-library';

/** A CommonJS library: its names are found by an import of a file alone. */
export const googleSdk = { GoogleAuth };
