import { useState } from "react"
import { type Settled, settled } from "./settled.ts"

interface State<Row extends { readonly id: string }> extends Settled<Row> {
  readonly latest: ReadonlyArray<Row>
}

const stateOf = <Row extends { readonly id: string }>(
  shown: ReadonlyArray<Row>,
  latest: ReadonlyArray<Row>,
  hasMore: boolean
): State<Row> => ({ ...settled(shown, latest, hasMore), latest })

/** Keeps rows in their places while their list is read again. `update` shows the list as it is. */
export const useSettled = <Row extends { readonly id: string }>(latest: ReadonlyArray<Row>, hasMore: boolean) => {
  const [state, setState] = useState(() => stateOf(latest, latest, hasMore))
  const current = state.latest === latest ? state : stateOf(state.rows, latest, hasMore)
  if (current !== state) setState(current)
  return { ...current, update: () => setState(stateOf(latest, latest, hasMore)) }
}
