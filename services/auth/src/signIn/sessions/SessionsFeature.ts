import { Layer } from "effect"
import { SignInHandlers } from "./http.ts"
import { SignIn } from "./SignIn.ts"

export const SessionsFeature = SignInHandlers.pipe(Layer.provide(SignIn.layer))
