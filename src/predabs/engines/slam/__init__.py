"""The slam engine: C to Boolean program, bebop, Newton."""
