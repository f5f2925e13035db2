// Random numbers that a seed makes again.

export class Random {
  constructor(seed) {
    this.state = (seed >>> 0) ^ 0x9e3779b9;
    this.spare = null;
  }

  // Between 0 and 1, without either (splitmix32, two of them for 53 bits).
  uniform() {
    const high = this.bits() >>> 5, low = this.bits() >>> 6;
    return (high * 67108864 + low + 0.5) / 9007199254740992;
  }

  bits() {
    this.state = (this.state + 0x9e3779b9) | 0;
    let z = this.state;
    z = Math.imul(z ^ (z >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return (z ^ (z >>> 15)) >>> 0;
  }

  // Normal, with mean 0 and variance 1 (Box and Muller).
  normal() {
    if (this.spare !== null) {
      const spare = this.spare;
      this.spare = null;
      return spare;
    }
    const radius = Math.sqrt(-2 * Math.log(this.uniform())), angle = 2 * Math.PI * this.uniform();
    this.spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  }

  below(n) {
    return Math.floor(this.uniform() * n);
  }
}
