import type { World } from "./World.ts"

/** What is made once in each world. */
export const perWorld = <A>(make: (world: World) => Promise<A>) => {
  const made = new WeakMap<World, Promise<A>>()
  return (world: World): Promise<A> => {
    const found = made.get(world) ?? make(world)
    made.set(world, found)
    return found
  }
}
