// What the engine does is done here: a regular expression, a sort, a closure, JSON, and an error that is caught.
export function hello(name) {
  const words = [...`hello ${name} from JavaScript`.matchAll(/\w+/g)].map(([word]) => word);
  return JSON.stringify({ words, sorted: words.toSorted() });
}

export const people = {
  greet(who, times) {
    if (who.age > 100) throw `${who.name} is too old`;
    if (times === 0) return { tag: "nothing" };
    if (times === undefined) return { tag: "text", val: `${who.name}, ${who.age}` };
    return { tag: "many", val: Array(times).fill(who) };
  },
};

export const run = {
  run() {
    let squares = 0;
    for (let each = 1; each <= 1000; each++) squares += each ** 2;
    console.log(`the sum of the first 1000 squares is ${squares}`);
  },
};
