export { SoftAuthenticator } from "./SoftAuthenticator.ts"
