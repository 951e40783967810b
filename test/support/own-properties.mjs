/** The own properties of objects as they were at one time, so that what is made of them later can be undone. */
export class OwnProperties {
  /** By object, then by name. */
  #kept;

  constructor(...objects) {
    this.#kept = propertiesOf(objects);
  }

  /** Runs what makes properties that stay. */
  keeping(change) {
    const before = propertiesOf(this.#kept.keys());
    const result = change();
    for (const [object, found] of propertiesOf(this.#kept.keys())) {
      for (const [name, property] of found) {
        if (!areSame(property, before.get(object).get(name))) this.#kept.get(object).set(name, property);
      }
    }
    return result;
  }

  /** Undoes all other changes, but for those of properties that can be neither set nor deleted. */
  restore() {
    for (const [object, properties] of this.#kept) {
      for (const name of Reflect.ownKeys(object))
        if (!properties.has(name)) Reflect.deleteProperty(object, name);
      for (const [name, property] of properties) {
        const found = Object.getOwnPropertyDescriptor(object, name);
        if (!found || !areSame(found, property)) Reflect.defineProperty(object, name, property);
      }
    }
  }
}

function propertiesOf(objects) {
  return new Map(Array.from(objects, (object) => [object, new Map(descriptorsOf(object))]));
}

function descriptorsOf(object) {
  return Reflect.ownKeys(object).map((name) => [name, Object.getOwnPropertyDescriptor(object, name)]);
}

function areSame(one, other) {
  return one.get === other?.get && one.set === other?.set && Object.is(one.value, other?.value);
}
