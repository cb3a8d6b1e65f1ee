export { KeyResolver } from "./KeyResolver.ts"
export { makeOperatorCheck } from "./operatorToken.ts"
