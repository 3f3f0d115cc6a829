// What is used of Google's own library: where its users keep their credentials.
export { GoogleAuth } from 'google-auth-library';
