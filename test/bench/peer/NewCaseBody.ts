/** A question of an intake form with its answer. */
export interface Question {
  readonly question: string
  readonly answer: string
  readonly type: string
  readonly required?: boolean
  readonly phi?: boolean
  readonly options?: ReadonlyArray<string> | null
}

/** The body of case creation after validation by `createCaseSchema`. */
export interface NewCaseBody {
  readonly isTest?: boolean
  readonly forceCreate?: boolean
  readonly user: {
    readonly firstName: string
    readonly lastName: string
    readonly email: string
    readonly phoneNumber: string
    readonly dob: string
    readonly gender?: string
    readonly languagePreferences?: ReadonlyArray<string> | null
    readonly shippingAddress?: Readonly<Record<string, string>>
  }
  readonly products: ReadonlyArray<{
    readonly id: string
    readonly visitType?: string
    readonly payment?: { readonly promoCode?: string }
    readonly form?: {
      readonly title?: string
      readonly description?: string
      readonly questions?: ReadonlyArray<Question> | null
    }
  }>
}
