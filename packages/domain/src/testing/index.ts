export * from "./anyCharacter.ts"
